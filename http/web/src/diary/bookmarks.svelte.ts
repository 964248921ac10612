// Bookmarks of a game: the reader's own, kept in this browser.
import { recall, remember } from "./memory";

export interface Bookmark {
  branch: string;
  version: number;
  text: string;
}

export class Bookmarks {
  list = $state.raw<Bookmark[]>([]);
  constructor(private readonly game: string) {
    try {
      this.list = JSON.parse(recall(`bookmarks.${game}`) ?? "[]") as Bookmark[];
    } catch {
      this.list = [];
    }
  }
  at(branch: string, version: number): Bookmark | undefined {
    return this.list.find((one) => one.branch === branch && one.version === version);
  }
  put(bookmark: Bookmark): void {
    const others = this.list.filter((one) => one.branch !== bookmark.branch || one.version !== bookmark.version);
    this.keep([...others, bookmark].sort((a, b) => a.version - b.version));
  }
  drop(branch: string, version: number): void {
    this.keep(this.list.filter((one) => one.branch !== branch || one.version !== version));
  }
  private keep(list: Bookmark[]): void {
    this.list = list;
    remember(`bookmarks.${this.game}`, list.length ? JSON.stringify(list) : null);
  }
}
