import { signal } from '@preact/signals';
import type { JSX } from 'preact';
import { dropOpenedCode, openedCode } from '../app/opened-code.js';
import { pairingCodeOf } from '../app/pairing-code.js';
import { unlockSound } from '../device/tones.js';
import { phoneLabel, suggestsInstalling } from '../device/phone.js';
import { Button } from '../parts/button.js';
import { FailureNote } from '../parts/failure.js';
import { Title } from '../parts/title.js';
import { Viewfinder } from '../parts/viewfinder.js';
import { t } from '../texts/texts.js';
import type { ScreenOptions } from '../app/screen-options.js';

const example = 'K7QF2-MXD9A';
const scanning = signal(false);
const typed = signal('');
const elsewhere = signal<{ readonly host: string; readonly address: string } | null>(null);

async function pair({ model, camera }: ScreenOptions, text: string): Promise<void> {
  if (model.working.value) return;
  unlockSound();
  const found = pairingCodeOf(text, location.host);
  elsewhere.value = found.kind === 'elsewhere' ? found : null;
  if (found.kind === 'elsewhere') scanning.value = false;
  if (found.kind === 'none') model.failure.value = { code: 'pairing.none', message: '' };
  if (found.kind !== 'code') return;
  camera.warmUp();
  await model.attempt(() => model.engine.pair(found.code, phoneLabel(navigator.userAgent)));
  // A code that failed for another reason, as without a network, is offered again.
  const failure = model.failure.value?.code;
  if (failure === undefined || failure.startsWith('pairing.')) dropOpenedCode();
  scanning.value = false;
  typed.value = '';
}

/** Pairs the phone: by the address that it opened, by the camera, or by a typed code. */
export function PairingScreen({ model, camera }: ScreenOptions): JSX.Element {
  if (scanning.value)
    return (
      <main class="scanner">
        <Viewfinder camera={camera} facing="environment" hint={t('pairing.scanHint')} />
        <footer class="bar">
          <FailureNote model={model} />
          <Button action="stop-pairing-camera" onPress={() => (scanning.value = false)}>
            {t('actions.back')}
          </Button>
        </footer>
      </main>
    );
  const { value: opened } = openedCode;
  return (
    <main class="page">
      <Title>{t('pairing.title')}</Title>
      <p class="lead">{t('pairing.lead')}</p>
      <FailureNote model={model} />
      {elsewhere.value && (
        <p class="note">
          {t('pairing.elsewhere', { host: elsewhere.value.host })} <a href={elsewhere.value.address}>{elsewhere.value.host}</a>
        </p>
      )}
      {opened !== null && (
        <Button action="pair" look="main" disabled={model.working.value} onPress={() => pair({ model, camera }, opened)}>
          {t(model.working.value ? 'pairing.working' : 'pairing.pair')}
        </Button>
      )}
      {suggestsInstalling() && <p class="note">{t('pairing.install')}</p>}
      <Button action="scan-pairing" icon="camera" look={opened === null ? 'main' : 'plain'} onPress={() => (scanning.value = true)}>
        {t('pairing.scan')}
      </Button>
      <form
        class="typed"
        onSubmit={(event) => {
          event.preventDefault();
          void pair({ model, camera }, typed.value);
        }}
      >
        <label for="code">{t('pairing.typed')}</label>
        <input
          id="code"
          name="code"
          value={typed.value}
          onInput={({ currentTarget }) => (typed.value = currentTarget.value)}
          autocomplete="off"
          autocapitalize="characters"
          spellcheck={false}
          maxLength={60}
          placeholder={example}
        />
        <button type="submit" class="button plain" data-action="pair-typed" disabled={model.working.value}>
          {t(model.working.value ? 'pairing.working' : 'pairing.pairTyped')}
        </button>
      </form>
    </main>
  );
}

/** What the camera reads on this screen. */
export async function readPairingCode(options: ScreenOptions, text: string): Promise<void> {
  await pair(options, text);
}
