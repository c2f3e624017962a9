import { bestLens, factsOf, isFront, isSharp, zoomFor, type Lens, type LensFacts } from './lens.js';

/** An open camera. */
export interface OpenCamera {
  readonly stream: MediaStream;
  readonly track: MediaStreamTrack;
  readonly facts: LensFacts;
}

/** Cameras that are opened in search of one that focuses, each about half a second. */
const mostTries = 3;

const size = { width: { ideal: 1280 }, height: { ideal: 720 }, frameRate: { ideal: 30, max: 30 } };

/** The cameras of the phone. Labels are known once one was opened. */
export async function listLenses(): Promise<readonly Lens[]> {
  const devices = await navigator.mediaDevices.enumerateDevices();
  return devices.filter(({ kind, deviceId }) => kind === 'videoinput' && deviceId !== '').map(({ deviceId: id, label }) => ({ id, label }));
}

async function open(video: MediaTrackConstraints): Promise<OpenCamera> {
  const stream = await navigator.mediaDevices.getUserMedia({ audio: false, video: { ...size, ...video } });
  const [track] = stream.getVideoTracks();
  if (!track) throw new DOMException('no track', 'NotFoundError');
  const capabilities = typeof track.getCapabilities === 'function' ? track.getCapabilities() : undefined;
  const { deviceId } = track.getSettings();
  return { stream, track, facts: factsOf(deviceId ?? '', track.label, capabilities) };
}

export function closeCamera({ stream }: OpenCamera): void {
  for (const track of stream.getTracks()) track.stop();
}

/** Opens this camera. @throws DOMException when it is gone or not allowed */
export const openLens = (id: string): Promise<OpenCamera> => open({ deviceId: { exact: id } });

/**
 * Opens the remembered camera, else a suitable one. The browser's first choice may have a fixed focus: then the other rear cameras are
 * tried, one after the other, because phones open only one at a time.
 * @throws DOMException when there is no camera or it is not allowed
 */
export async function openSuitable(facing: 'environment' | 'user', remembered: string | null): Promise<OpenCamera> {
  if (remembered !== null) {
    try {
      return await openLens(remembered);
    } catch (error) {
      if (error instanceof DOMException && error.name === 'NotAllowedError') throw error;
    }
  }
  const first = await open({ facingMode: { ideal: facing } });
  if (facing === 'user' || isSharp(first.facts)) return first;
  const others = (await listLenses()).filter((lens) => lens.id !== first.facts.id && !isFront(lens)).slice(0, mostTries - 1);
  if (others.length === 0) return first;
  let current = first;
  const tried = [first.facts];
  for (const { id } of others) {
    closeCamera(current);
    current = await openLens(id).catch(() => openLens(first.facts.id));
    tried.push(current.facts);
    if (isSharp(current.facts) && current.facts.torch) return current;
  }
  const best = bestLens(tried) as LensFacts;
  if (best.id === current.facts.id) return current;
  closeCamera(current);
  return openLens(best.id);
}

/** Continuous focus and some zoom, where the camera has them. */
export async function adjust({ track, facts }: OpenCamera): Promise<void> {
  const zoom = zoomFor(facts);
  const wanted = { ...(facts.focus?.includes('continuous') && { focusMode: 'continuous' }), ...(zoom !== null && { zoom }) };
  if (Object.keys(wanted).length === 0) return;
  await track.applyConstraints({ advanced: [wanted as MediaTrackConstraintSet] }).catch(() => undefined);
}

/** @returns whether the torch obeyed */
export async function light({ track }: OpenCamera, on: boolean): Promise<boolean> {
  try {
    await track.applyConstraints({ advanced: [{ torch: on } as MediaTrackConstraintSet] });
    return true;
  } catch {
    return false;
  }
}
