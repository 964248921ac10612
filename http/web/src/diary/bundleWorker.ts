// Verifies a bundle beside the page, which stays quick meanwhile.
import { verifyBundle, type BundleCheck, type BundleReport } from "./bundle";

export type WorkerMessage =
  | { kind: "doing"; check: BundleCheck; done: number; of: number }
  | { kind: "report"; report: BundleReport }
  | { kind: "fault"; text: string };

const say = (message: WorkerMessage) => postMessage(message);

addEventListener("message", (event: MessageEvent<Uint8Array>) => {
  verifyBundle(event.data, (check, done, of) => say({ kind: "doing", check, done, of })).then(
    (report) => say({ kind: "report", report }),
    (error: unknown) => say({ kind: "fault", text: error instanceof Error ? error.message : String(error) }),
  );
});
