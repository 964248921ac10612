// The audit of each game, once asked for: shared by the badge and the report.
import { Problem } from "../api/client";
import type { AuditReport } from "../api/types";
import type { OpenGame } from "../diary/game.svelte";

interface State {
  report: AuditReport | null;
  problem: Problem | null;
  busy: boolean;
}
const NONE: State = { report: null, problem: null, busy: false };

class Audits {
  private states = $state.raw<Record<string, State>>({});
  of(game: string): State {
    return this.states[game] ?? NONE;
  }
  private set(game: string, state: Partial<State>): void {
    this.states = { ...this.states, [game]: { ...this.of(game), ...state } };
  }
  async run(game: OpenGame): Promise<void> {
    this.set(game.id, { busy: true, problem: null });
    try {
      this.set(game.id, { report: await game.client.audit(game.id), busy: false });
    } catch (error) {
      const problem = Problem.of(error);
      this.set(game.id, { problem, busy: false });
    }
  }
}
export const audits = new Audits();
