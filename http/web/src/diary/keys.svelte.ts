// A player's own part in the dice of a game: the keys are made and kept in this browser, and what the
// rolls need from this player is signed here. The same file works with `wardiary player`.
import { type Client, Problem } from "../api/client";
import { type DiceState, NotOwed, Player, type PlayerMemory, Wrong } from "../fairdice/player.js";
import { recall, remember } from "./memory";

// Rolls to contribute to in advance, where the dice do not wait for an answer.
const UNLOCKED = 50;

export interface Table {
  game: string;
  branch: string;
  side: string;
  slot: number;
}

export class DiceKeys {
  state = $state.raw<DiceState | null>(null);
  problem = $state.raw<Problem | null>(null);
  busy = $state(false);
  // Changes whenever the memory of this player does.
  private kept = $state(0);

  constructor(private readonly client: Client) {}

  private keyOf(table: Table): string {
    return `player.${table.game}.${table.side}`;
  }
  has(table: Table): boolean {
    void this.kept;
    return recall(this.keyOf(table)) !== null;
  }
  // The player's whole memory, the secret included, as one keeps a key.
  export(table: Table): string {
    return recall(this.keyOf(table)) ?? "";
  }
  import(table: Table, text: string): void {
    let memory: PlayerMemory;
    try {
      memory = JSON.parse(text) as PlayerMemory;
      new Player(memory);
    } catch {
      throw new Problem(0, "not_a_player", "", "");
    }
    remember(this.keyOf(table), JSON.stringify(memory));
    ++this.kept;
  }
  private player(table: Table): Player {
    const kept = recall(this.keyOf(table));
    const memory = kept ? (JSON.parse(kept) as PlayerMemory) : Player.create(table.side);
    const keep = (json: string) => {
      remember(this.keyOf(table), json);
      ++this.kept;
    };
    if (!kept) keep(JSON.stringify(memory));
    return new Player(memory, keep);
  }

  async look(table: Pick<Table, "game" | "branch">): Promise<void> {
    try {
      this.state = await this.client.diceState(table.game, table.branch);
    } catch (error) {
      // A game whose dice are all the service's has none.
      if (error instanceof Problem && error.status < 500) this.state = null;
      else throw error;
    }
  }
  owes(table: Table, what: "join" | "request" | "reveal"): boolean {
    return this.state?.owed.some((one) => one.what === what && one.slot === table.slot) ?? false;
  }

  // Makes this player's keys, if there are none yet, and commits them to the game.
  join(table: Table): Promise<void> {
    return this.attempt(table, (player, state) => player.join(state, table.slot).then((body) => this.client.diceAct(table.game, table.branch, "join", body)));
  }
  // Signs what is owed, as long as something is: asked for by the player's own order, or by the other's.
  async answer(table: Table): Promise<void> {
    if (!this.has(table)) return;
    for (const what of ["request", "reveal"] as const) {
      if (!this.owes(table, what)) continue;
      await this.attempt(table, (player, state) => player[what](state).then((body) => this.client.diceAct(table.game, table.branch, what, body)));
    }
  }
  unlock(table: Table): Promise<void> {
    return this.attempt(table, async (player, state) => {
      for (const body of await player.unlock(state, UNLOCKED)) await this.client.diceAct(table.game, table.branch, "unlock", body);
    });
  }
  // Gives up an order whose dice the other side owes for too long: who owes nothing may.
  mayAbandon(table: Table): boolean {
    const owed = this.state?.owed ?? [];
    return this.has(table) && owed.some((one) => one.lapsed) && !owed.some((one) => one.slot === table.slot);
  }
  abandon(table: Table): Promise<void> {
    return this.attempt(table, (player, state) => player.agree(state).then((mine) => this.client.diceAct(table.game, table.branch, "abandon", { agreed: [mine] })));
  }

  private async attempt(table: Table, work: (player: Player, state: DiceState) => Promise<unknown>): Promise<void> {
    if (this.busy) return;
    this.busy = true;
    this.problem = null;
    try {
      await this.look(table);
      if (this.state) await work(this.player(table), this.state);
      await this.look(table);
    } catch (error) {
      if (error instanceof NotOwed) return;
      this.problem = error instanceof Wrong ? new Problem(0, "dice_refused", "", error.message) : Problem.of(error);
    } finally {
      this.busy = false;
    }
  }
}
