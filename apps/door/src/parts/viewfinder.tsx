import type { JSX } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import type { CameraView } from '../camera/camera.js';
import { t } from '../texts/texts.js';
import { Button } from './button.js';

interface ViewfinderOptions {
  readonly camera: CameraView;
  readonly facing: 'environment' | 'user';
  readonly hint: string;
}

/** The live picture with a frame for the code, or the reason why there is none. */
export function Viewfinder({ camera, facing, hint }: ViewfinderOptions): JSX.Element {
  const video = useRef<HTMLVideoElement>(null);
  useEffect(() => {
    if (video.current) camera.attach(video.current, facing);
    return () => camera.detach();
  }, [camera, facing]);
  const { value: status } = camera.status;
  return (
    <div class={`viewfinder ${facing}`} data-camera={status}>
      <video ref={video} playsInline muted autoPlay aria-hidden="true" />
      {status === 'on' && (
        <>
          <div class="aim" aria-hidden="true" />
          <p class="hint">{hint}</p>
        </>
      )}
      {status === 'opening' && <p class="hint">{t('camera.opening')}</p>}
      {status === 'resting' && (
        <Button action="wake" icon="camera" look="main" onPress={() => camera.wake()}>
          {t('camera.resting')}
        </Button>
      )}
      {(status === 'denied' || status === 'missing' || status === 'unread') && (
        <div class="no-camera" role="status">
          <p>{t(`camera.${status}`)}</p>
          <Button action="retry-camera" icon="camera" onPress={() => camera.retry()}>
            {t('camera.retry')}
          </Button>
        </div>
      )}
    </div>
  );
}
