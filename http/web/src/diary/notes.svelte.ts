// Notes on events, kept by the service beside the game. Where it keeps none, there are none.
import { type Client, Problem } from "../api/client";
import type { Note, NoteReaders } from "../api/types";

export class Notes {
  list = $state.raw<Note[]>([]);
  offered = $state(false);
  constructor(private readonly client: Client, private readonly game: string) {}

  async load(): Promise<void> {
    try {
      this.list = (await this.client.notes(this.game)).filter((one) => one.kind === "note").sort((a, b) => a.version - b.version);
      this.offered = true;
    } catch (error) {
      if (error instanceof Problem && (error.status === 404 || error.status === 403)) return;
      throw error;
    }
  }
  on(branch: string): Note[] {
    return this.list.filter((one) => one.branch === branch);
  }
  async add(branch: string, version: number, text: string, seen: NoteReaders): Promise<void> {
    await this.client.addNote(this.game, { branch, version, text, seen });
    await this.load();
  }
  async drop(number: number): Promise<void> {
    await this.client.dropNote(this.game, number);
    await this.load();
  }
}
