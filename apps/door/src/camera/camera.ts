import { signal } from '@preact/signals';
import { battery } from '../device/battery.js';
import { preferences, setPreference } from '../device/preferences.js';
import { Decoder } from './decoder.js';
import { grab, nextFrame } from './frames.js';
import { lensAfter, type Lens } from './lens.js';
import { Repeats } from './repeats.js';
import { adjust, closeCamera, light, listLenses, openSuitable, type OpenCamera } from './streams.js';

/**
 * `resting`: nothing happened for a minute. `denied`: the person or the phone refuses the camera. `missing`: there is none, it does not
 * answer, or another program uses it. `unread`: it is open, and the decoder of its pictures cannot be loaded.
 */
export type CameraStatus = 'off' | 'opening' | 'on' | 'resting' | 'denied' | 'missing' | 'unread';

/** Milliseconds without a new code, a tap or a key after which the camera rests. */
const restAfter = 60_000;
/** Milliseconds until a camera that could not be opened is tried again. */
const retryAfter = 4_000;
/** Some phones never answer: then a person may try again. Others ask the person first, so the answer may still come. */
const answersWithin = 10_000;
/** Milliseconds without a new picture after which the camera is opened again: a call may freeze it. */
const frozenAfter = 5_000;

/** What screens use of a camera. */
export type CameraView = Pick<Camera, keyof Camera>;

/**
 * The camera of the phone: one picture on the screen, its codes to `onCode`. Closed while the app is hidden, because phones take it away
 * then and some never give it back to the same stream.
 */
export class Camera {
  readonly status = signal<CameraStatus>('off');
  readonly lenses = signal<readonly Lens[]>([]);
  readonly lens = signal<string | null>(null);
  /** Null: this camera has none. */
  readonly torch = signal<boolean | null>(null);
  private readonly decoder = new Decoder();
  private readonly repeats = new Repeats();
  private video: HTMLVideoElement | undefined;
  private facing: 'environment' | 'user' = 'environment';
  private current: OpenCamera | undefined;
  /** Increments with each start and stop, so that what was begun before ends. */
  private run = 0;
  private usedAt = 0;

  /**
   * @param onCode gets each new code; the next picture is read when its promise settles
   * @param onHeld gets a code in each further picture in which it stays
   */
  constructor(
    private readonly onCode: (text: string) => Promise<void>,
    private readonly onHeld: (text: string) => void,
  ) {
    document.addEventListener('visibilitychange', () => {
      if (document.visibilityState === 'hidden') this.close(this.status.value === 'resting' ? 'resting' : 'off');
      else if (this.video && this.status.value === 'off') void this.start();
    });
    for (const kind of ['pointerdown', 'keydown']) document.addEventListener(kind, () => this.wake(), { capture: true, passive: true });
  }

  /** Loads the decoder while the person still chooses. */
  warmUp(): void {
    this.decoder.warmUp();
  }

  /** Shows the camera in this element and reads codes until `detach`. */
  attach(video: HTMLVideoElement, facing: 'environment' | 'user'): void {
    this.video = video;
    this.facing = facing;
    void this.start();
  }

  detach(): void {
    this.close('off');
    this.video = undefined;
  }

  /** Counts as use; a resting camera opens again. */
  wake(): void {
    this.usedAt = performance.now();
    if (this.status.value === 'resting' && this.video) void this.start();
  }

  /** After the person allowed the camera in the settings of the phone. */
  async retry(): Promise<void> {
    await this.start();
  }

  async nextLens(): Promise<void> {
    const next = lensAfter(this.lenses.value, this.lens.value);
    if (next) await this.chooseLens(next.id);
  }

  async chooseLens(id: string): Promise<void> {
    setPreference('lens', id);
    await this.start();
  }

  async switchTorch(): Promise<void> {
    const { value: lit } = this.torch;
    if (this.current && lit !== null && (await light(this.current, !lit))) this.torch.value = !lit;
  }

  /** Lets the code in view count again. */
  forgetCode(): void {
    this.repeats.forget();
  }

  private async start(): Promise<void> {
    this.close('opening');
    this.usedAt = performance.now();
    this.decoder.warmUp();
    const { run, video } = this;
    const silent = setTimeout(() => {
      if (run === this.run && this.status.value === 'opening') this.status.value = 'missing';
    }, answersWithin);
    try {
      const remembered = this.facing === 'environment' ? preferences.value.lens : null;
      const opened = await openSuitable(this.facing, remembered);
      if (run !== this.run || !video) {
        closeCamera(opened);
        return;
      }
      await this.show(opened, video, run);
    } catch (error) {
      if (run !== this.run) return;
      const denied = error instanceof DOMException && error.name === 'NotAllowedError';
      this.status.value = denied ? 'denied' : 'missing';
      // Another program may give the camera back.
      if (!denied) setTimeout(() => run === this.run && void this.start(), retryAfter);
    } finally {
      clearTimeout(silent);
    }
  }

  private async show(opened: OpenCamera, video: HTMLVideoElement, run: number): Promise<void> {
    this.current = opened;
    this.lens.value = opened.facts.id;
    this.torch.value = opened.facts.torch ? false : null;
    opened.track.addEventListener('ended', () => {
      if (run === this.run) void this.start();
    });
    video.srcObject = opened.stream;
    await video.play().catch(() => undefined);
    if (run !== this.run) return;
    this.status.value = 'on';
    void adjust(opened);
    void listLenses().then((found) => {
      this.lenses.value = found;
    });
    void this.readCodes(video, run);
  }

  private async readCodes(video: HTMLVideoElement, run: number): Promise<void> {
    let pictureAt = performance.now();
    while (run === this.run) {
      const came = await nextFrame(video);
      if (run !== this.run) return;
      const now = performance.now();
      if (now - this.usedAt > restAfter && !this.isAwake()) return this.close('resting');
      if (came) pictureAt = now;
      else if (now - pictureAt > frozenAfter) return this.start();
      const picture = await grab(video, this.decoder.wasEmpty);
      const text = picture ? await this.decoder.read(picture) : null;
      if (run !== this.run) return;
      this.status.value = this.decoder.isBroken ? 'unread' : 'on';
      if (text === null) continue;
      if (!this.repeats.isNew(text, performance.now())) {
        this.onHeld(text);
        continue;
      }
      this.usedAt = performance.now();
      await this.onCode(text);
    }
  }

  /** At a kiosk nobody of the team taps: guests come at any time. Only a phone that says it has no charger saves its battery. */
  private isAwake(): boolean {
    return this.facing === 'user' && battery.value?.charging !== false;
  }

  private close(status: CameraStatus): void {
    this.run += 1;
    if (this.current) closeCamera(this.current);
    if (this.video) this.video.srcObject = null;
    this.current = undefined;
    this.torch.value = null;
    this.status.value = status;
  }
}
