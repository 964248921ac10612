// Waits for work that the service does, telling how far it is.
import { type Client, Problem } from "../api/client";
import type { Job } from "../api/types";

const POLL_MS_MIN = 150;
const POLL_MS_MAX = 1500;

// `stop` cancels the work; what was done until then is the answer where there is one.
export async function waitFor<Result>(client: Client, game: string, started: Job<Result>, told: (done: number, total: number) => void,
                                      stop: AbortSignal): Promise<Result | null> {
  let job = started;
  let wait_ms = POLL_MS_MIN;
  const cancel = () => void client.cancelJob(game, started.id).catch(() => undefined);
  stop.addEventListener("abort", cancel);
  try {
    for (;;) {
      told(job.done, job.total);
      if (job.state === "done" || job.state === "cancelled") return job.result ?? null;
      if (job.state === "failed") {
        throw new Problem(job.problem?.status ?? 500, job.problem?.code ?? "job_failed", job.problem?.title ?? "", job.problem?.detail ?? "");
      }
      await new Promise((done) => setTimeout(done, wait_ms));
      wait_ms = Math.min(wait_ms * 1.4, POLL_MS_MAX);
      job = await client.job<Result>(game, started.id);
    }
  } finally {
    stop.removeEventListener("abort", cancel);
  }
}
