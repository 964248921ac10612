export class MockGame {
  constructor(options?: { id?: string; name?: string; scenario?: string; seed?: number; turns?: number; finished?: boolean });
  readonly events: unknown[];
  readonly version: number;
  readonly board: unknown;
  positionAt(version: number): { version: number; position: unknown };
  timeline(): { version: number; phases: unknown[] };
}
