// FlatBuffers: only what is needed to look at a few fields of an event (docs/formats.md).
import { fail } from "./wrong.js";
import { KINDS } from "./protocol.js";

const READ = {
  u8: (view, at) => view.getUint8(at),
  i8: (view, at) => view.getInt8(at),
  u16: (view, at) => view.getUint16(at, true),
  u32: (view, at) => view.getUint32(at, true),
  i32: (view, at) => view.getInt32(at, true),
  u64: (view, at) => view.getUint32(at, true) + 2 ** 32 * view.getUint32(at + 4, true),
};

export class Table {
  constructor(view, at) {
    this.view = view;
    this.at = at;
    this.vtable = at - view.getInt32(at, true);
    this.size = view.getUint16(this.vtable, true);
  }

  // The root of an event's bytes and its payload, which must be of type `kind`.
  static payload(data, kind) {
    const view = new DataView(data.buffer, data.byteOffset, data.byteLength);
    const root = new Table(view, view.getUint32(0, true));
    if (root.number(0) !== kind) fail(`type: stored as ${kind}, holds ${root.number(0)}`);
    return { root, payload: root.table(1) };
  }

  place(field) {
    const entry = 4 + 2 * field;
    const offset = entry + 2 <= this.size ? this.view.getUint16(this.vtable + entry, true) : 0;
    return offset ? this.at + offset : null;
  }

  number(field, type = "u8", otherwise = 0) {
    const place = this.place(field);
    return place === null ? otherwise : READ[type](this.view, place);
  }

  #follow(field) {
    const place = this.place(field);
    return place === null ? null : place + this.view.getUint32(place, true);
  }

  table(field) {
    return new Table(this.view, this.#follow(field) ?? fail("a table is missing"));
  }

  // [place of the first element, count]
  vector(field, width) {
    const place = this.#follow(field);
    if (place === null) return [0, 0];
    const count = this.view.getUint32(place, true);
    if (place + 4 + count * width > this.view.byteLength) fail("a vector is longer than the event");
    return [place + 4, count];
  }

  bytes(field, size) {
    const [first, count] = this.vector(field, 1);
    if (size !== undefined && count !== size) fail(`${count} bytes where ${size} belong`);
    return new Uint8Array(this.view.buffer, this.view.byteOffset + first, count);
  }

  numbers(field) {
    const [first, count] = this.vector(field, 4);
    return Array.from({ length: count }, (_, i) => this.view.getUint32(first + 4 * i, true));
  }

  tables(field) {
    const [first, count] = this.vector(field, 4);
    return Array.from({ length: count }, (_, i) => {
      const at = first + 4 * i;
      return new Table(this.view, at + this.view.getUint32(at, true));
    });
  }

  groups(field) {
    const [first, count] = this.vector(field, 12);
    const names = Object.keys(KINDS);
    return Array.from({ length: count }, (_, i) => {
      const at = first + 12 * i, kind = names[this.view.getUint8(at) - 1];
      return {
        kind: kind ?? fail("groups: unknown kind"), count: this.view.getUint16(at + 2, true),
        sides: this.view.getUint32(at + 4, true),
      };
    });
  }
}

export const u64At = (table, field) => table.number(field, "u64");
