import type { CameraView } from '../camera/camera.js';
import type { DoorModel } from './model.js';

/** What every screen gets. */
export interface ScreenOptions {
  readonly model: DoorModel;
  readonly camera: CameraView;
}
