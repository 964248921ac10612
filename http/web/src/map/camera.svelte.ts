// Two maps of a comparison look at the same place: whichever is moved takes the other along.
import type { Camera } from "./terrain";

export class SharedCamera {
  camera = $state.raw<Camera | null>(null);
}
