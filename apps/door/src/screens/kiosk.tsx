import type { JSX } from 'preact';
import { useEffect } from 'preact/hooks';
import { wordsOf, LiveResult } from './result-card.js';
import { Icon } from '../parts/icons.js';
import { NetworkNote, PracticeNote } from '../parts/notes.js';
import { Title } from '../parts/title.js';
import { Viewfinder } from '../parts/viewfinder.js';
import { t } from '../texts/texts.js';
import type { ScreenOptions } from '../app/screen-options.js';
import type { Verdict } from '../core/types.js';

/** Milliseconds after which the menu closes: while it is open, no code is read. */
const menuFor = 30_000;

/**
 * What a guest sees: welcome, or a person helps. Never why, because others look on. The same code again may be another guest with a copy of
 * it, so that only the first one is welcome.
 */
function faceOf(verdict: Verdict): { readonly verdict: Verdict; readonly word: string; readonly text: string } {
  if (verdict === 'just') return { verdict: 'ask', word: t('kiosk.ask'), text: t('kiosk.justText') };
  if (verdict === 'go') return { verdict: 'go', word: t('kiosk.go'), text: t('kiosk.goText') };
  if (verdict === 'out') return { verdict: 'out', word: t('kiosk.out'), text: t('kiosk.outText') };
  return { verdict: 'ask', word: t('kiosk.ask'), text: t('kiosk.askText') };
}

/** Guests scan themselves: the front camera, and an answer that is read from far away. */
export function KioskScreen({ model, camera }: ScreenOptions): JSX.Element {
  const { event, practice } = model.state.value;
  const { value: shown } = model.shown;
  const face = shown && faceOf(shown.result.verdict);
  const { value: sheet } = model.sheet;
  useEffect(() => {
    if (!sheet) return undefined;
    const closing = setTimeout(() => model.closeSheet(), menuFor);
    return () => clearTimeout(closing);
  }, [model, sheet]);
  return (
    <main class="scanner kiosk">
      <div class="behind" inert={shown !== null}>
        <header class="bar">
          <Title>{event?.name}</Title>
          <NetworkNote model={model} />
        </header>
        {practice && <PracticeNote />}
        <Viewfinder camera={camera} facing="user" hint={t('kiosk.hint')} />
        <footer class="bar">
          <button type="button" class="button plain" data-action="settings" onClick={() => model.openSheet({ kind: 'settings' })}>
            {t('kiosk.team')}
          </button>
        </footer>
      </div>
      {shown && face && (
        <section
          class={`result kiosk ${face.verdict}`}
          data-verdict={shown.result.verdict}
          data-reason={shown.result.reason ?? ''}
          data-face={face.verdict}
          onClick={() => model.dismiss()}
        >
          <div class="verdict">
            <Icon name={face.verdict} size="large" />
            <p class="word">{face.word}</p>
          </div>
          <div class="facts">
            {face.verdict === 'go' && wordsOf(model, shown).name && <p class="name">{wordsOf(model, shown).name}</p>}
            <p class="why">{face.text}</p>
            {face.verdict === 'go' &&
              shown.result.notes.map((note) => (
                <p class="remark" key={note}>
                  {note}
                </p>
              ))}
          </div>
        </section>
      )}
      <LiveResult shown={shown} text={face ? `${face.word}. ${face.text}` : ''} />
    </main>
  );
}
