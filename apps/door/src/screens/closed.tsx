import type { JSX } from 'preact';
import { Button } from '../parts/button.js';
import { NetworkNote } from '../parts/notes.js';
import { Title } from '../parts/title.js';
import { language, t } from '../texts/texts.js';
import { momentWords } from '../texts/times.js';
import type { ScreenOptions } from '../app/screen-options.js';
import { PairingScreen } from './pairing.js';

/** Staff locked the device, it is outside of its opening hours, or its key was taken away. */
export function ClosedScreen({ model, camera }: ScreenOptions): JSX.Element {
  const { phase, opensAt, closedAt = null, deviceName, timeZone } = model.state.value;
  const when = (moment: number): string => momentWords(moment, Date.now(), language.value.locale, timeZone);
  if (phase === 'wiped')
    return (
      <>
        <div class="page wiped" role="alert">
          <Title>{t('closed.wiped')}</Title>
          <p>{t('closed.wipedWhy')}</p>
        </div>
        <PairingScreen model={model} camera={camera} />
      </>
    );
  return (
    <main class="page centre">
      <div role="alert">
        <Title>{t('closed.locked')}</Title>
      </div>
      <p class="place">{deviceName}</p>
      <p class="lead">
        {opensAt !== null
          ? t('closed.opens', { when: when(opensAt) })
          : closedAt === null
            ? t('closed.lockedByStaff')
            : t('closed.hours', { when: when(closedAt) })}
      </p>
      <NetworkNote model={model} />
      <Button action="settings" icon="menu" onPress={() => model.openSheet({ kind: 'settings' })}>
        {t('actions.menu')}
      </Button>
    </main>
  );
}
