// Reads the few FlatBuffers tables a verifier needs, without generated code (docs/formats.md). Every
// access is checked against the buffer: what does not fit throws.
export class Table {
  private readonly view: DataView;
  constructor(private readonly bytes: Uint8Array, private readonly at: number) {
    this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }
  static root(bytes: Uint8Array): Table {
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    return new Table(bytes, view.getUint32(0, true));
  }
  private place(field: number): number {
    const vtable = this.at - this.view.getInt32(this.at, true);
    if (4 + field * 2 >= this.view.getUint16(vtable, true)) return 0;
    const offset = this.view.getUint16(vtable + 4 + field * 2, true);
    return offset ? this.at + offset : 0;
  }
  private target(place: number): number {
    return place + this.view.getUint32(place, true);
  }
  u8(field: number, otherwise = 0): number {
    const place = this.place(field);
    return place ? this.view.getUint8(place) : otherwise;
  }
  i8(field: number, otherwise = 0): number {
    const place = this.place(field);
    return place ? this.view.getInt8(place) : otherwise;
  }
  u32(field: number): number {
    const place = this.place(field);
    return place ? this.view.getUint32(place, true) : 0;
  }
  u64(field: number): number {
    const place = this.place(field);
    return place ? Number(this.view.getBigUint64(place, true)) : 0;
  }
  data(field: number): Uint8Array {
    const place = this.place(field);
    if (!place) return new Uint8Array();
    const vector = this.target(place);
    const length = this.view.getUint32(vector, true);
    if (vector + 4 + length > this.bytes.length) throw new RangeError("a vector ends behind its event");
    return this.bytes.subarray(vector + 4, vector + 4 + length);
  }
  text(field: number): string {
    return new TextDecoder().decode(this.data(field));
  }
  table(field: number): Table | null {
    const place = this.place(field);
    return place ? new Table(this.bytes, this.target(place)) : null;
  }
  // Where each element of a vector stands; `size` bytes apart.
  private elements(field: number, size: number): number[] {
    const place = this.place(field);
    if (!place) return [];
    const vector = this.target(place);
    const count = this.view.getUint32(vector, true);
    if (vector + 4 + count * size > this.bytes.length) throw new RangeError("a vector ends behind its event");
    return Array.from({ length: count }, (_, i) => vector + 4 + i * size);
  }
  tables(field: number): Table[] {
    return this.elements(field, 4).map((place) => new Table(this.bytes, this.target(place)));
  }
  numbers(field: number): number[] {
    return this.elements(field, 4).map((place) => this.view.getUint32(place, true));
  }
  structs<T>(field: number, size: number, read: (view: DataView, at: number) => T): T[] {
    return this.elements(field, size).map((at) => read(this.view, at));
  }
}
