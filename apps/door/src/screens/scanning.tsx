import type { JSX } from 'preact';
import type { DoorModel } from '../app/model.js';
import { Button } from '../parts/button.js';
import { Icon } from '../parts/icons.js';
import { NetworkNote, PracticeNote } from '../parts/notes.js';
import { Title } from '../parts/title.js';
import { Viewfinder } from '../parts/viewfinder.js';
import { t } from '../texts/texts.js';
import type { ScreenOptions } from '../app/screen-options.js';
import { NoteSlot } from './later-slots.js';
import { LiveResult, ResultCard, UndoButton, wordsOf } from './result-card.js';

/** The screen of the evening: live picture above, everything to press below, within reach of the thumb. */
export function ScanningScreen({ model, camera }: ScreenOptions): JSX.Element {
  const { event, gate, gates, practice, conflicts } = model.state.value;
  const { value: shown } = model.shown;
  const { value: correction } = model.correction;
  const open = conflicts.filter(({ decision }) => decision === null).length;
  return (
    <main class={`scanner ${shown ? 'with-result' : ''}`}>
      <div class="behind" inert={shown !== null}>
        <header class="bar">
          <div class="titles">
            <Title>{event?.name}</Title>
            {gates.length > 0 && (
              <button type="button" class="gate" data-action="gates" onClick={() => model.openSheet({ kind: 'gates' })}>
                {gate?.name ?? t('gates.none')}
              </button>
            )}
          </div>
          <NetworkNote model={model} />
        </header>
        {practice && <PracticeNote />}
        <NoteSlot name="UpdateNote" model={model} />
        {open > 0 && (
          <button type="button" class="note alarm wide" data-action="conflicts" onClick={() => model.openSheet({ kind: 'conflicts' })}>
            {t('conflicts.found', { count: open })}
          </button>
        )}
        <Viewfinder camera={camera} facing="environment" hint={t('camera.hint')} />
        {practice && <NoteSlot name="PracticeTickets" model={model} />}
        <footer class="bar">
          <LastResult model={model} />
          <Counts model={model} />
          <DirectionSwitch model={model} />
          <Tools model={model} camera={camera} />
        </footer>
      </div>
      {shown && <ResultCard key={shown.result.scanId + String(shown.came)} model={model} shown={shown} />}
      {correction && (
        <div class="note alarm correction" role="alert" data-correction={correction.verdict}>
          <p>
            {t('result.correctedOther', {
              word: t(`words.${correction.verdict}`),
              name: [correction.holder?.firstName, correction.holder?.lastName].filter(Boolean).join(' ') || t('result.noName'),
            })}
          </p>
          <Button action="close-correction" onPress={() => (model.correction.value = null)}>
            {t('actions.understood')}
          </Button>
        </div>
      )}
      <LiveResult shown={shown} text={shown ? wordsOf(model, shown).spoken : ''} />
    </main>
  );
}

/** People inside, in all and through this gate. */
function Counts({ model }: { readonly model: DoorModel }): JSX.Element | null {
  const { counts, gate } = model.state.value;
  if (!counts) return null;
  const { admitted, expected, inside } = counts;
  return (
    <p class="counts" data-inside={inside} data-admitted={admitted} data-expected={expected}>
      <span>{t('counts.inside', { count: inside })}</span>
      {gate && <span>{t('counts.gate', { count: gate.inside })}</span>}
      <span>{t('counts.admitted', { admitted, expected })}</span>
    </p>
  );
}

function DirectionSwitch({ model }: { readonly model: DoorModel }): JSX.Element {
  const { direction } = model.state.value;
  return (
    <div class="switch" role="group" aria-label={t('direction.title')}>
      {(['entry', 'exit'] as const).map((one) => (
        <Button
          key={one}
          action={one}
          icon={one === 'entry' ? 'people' : undefined}
          pressed={direction === one}
          onPress={() => model.engine.turn(one)}
        >
          {t(`direction.${one}`)}
        </Button>
      ))}
    </div>
  );
}

/** The last result, to look at again or to undo. */
function LastResult({ model }: { readonly model: DoorModel }): JSX.Element | null {
  const [last] = model.recent.value;
  if (!last) return null;
  const { verdict, holder, product } = last.result;
  const name = [holder?.firstName, holder?.lastName].filter(Boolean).join(' ');
  return (
    <div class={`last ${verdict}`}>
      <button type="button" class="button plain" data-action="recent" onClick={() => model.openSheet({ kind: 'recent' })}>
        <Icon name={verdict} />
        <span>
          <strong>{t(`words.${verdict}`)}</strong>
          <small>{name || product}</small>
        </span>
      </button>
      <UndoButton model={model} shown={last} />
    </div>
  );
}

function Tools({ model, camera }: ScreenOptions): JSX.Element {
  const { role } = model.state.value;
  const searches = role === 'search' || role === 'supervisor';
  const { value: torch } = camera.torch;
  return (
    <nav class="tools" aria-label={t('actions.tools')}>
      <Button action="settings" icon="menu" look="tool" onPress={() => model.openSheet({ kind: 'settings' })}>
        {t('actions.menu')}
      </Button>
      <Button action="search" icon={searches ? 'search' : 'keys'} look="tool" onPress={() => model.openSheet({ kind: 'search' })}>
        {t(searches ? 'actions.search' : 'actions.type')}
      </Button>
      {camera.lenses.value.length > 1 && (
        <Button action="lens" icon="lens" look="tool" onPress={() => camera.nextLens()}>
          {t('actions.lens')}
        </Button>
      )}
      {torch !== null && (
        <Button action="torch" icon="torch" look="tool" pressed={torch} onPress={() => camera.switchTorch()}>
          {t('actions.torch')}
        </Button>
      )}
    </nav>
  );
}
