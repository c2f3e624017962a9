import type { JSX } from 'preact';
import { useEffect } from 'preact/hooks';
import { suggestedEvent } from '../app/suggestion.js';
import type { DoorEvent } from '../core/types.js';
import { unlockSound } from '../device/tones.js';
import { Button } from '../parts/button.js';
import { FailureNote } from '../parts/failure.js';
import { NetworkNote, PracticeNote } from '../parts/notes.js';
import { Title } from '../parts/title.js';
import { UpdateNote } from '../parts/update-note.js';
import { language, t } from '../texts/texts.js';
import { momentWords } from '../texts/times.js';
import type { ScreenOptions } from '../app/screen-options.js';

function EventWords({ event, zone }: { readonly event: DoorEvent; readonly zone: string | null }): JSX.Element {
  const { locale } = language.value;
  return (
    <>
      <strong>{event.name}</strong>
      <small>{[momentWords(event.start, Date.now(), locale, zone), event.place].filter(Boolean).join(' · ')}</small>
    </>
  );
}

/** The choice of the event: the one of now first, with one button. */
export function ChoiceScreen({ model, camera }: ScreenOptions): JSX.Element {
  const { events, tenantName, deviceName, practice, network, timeZone } = model.state.value;
  // Also when the network comes back: nobody has to ask again.
  const isThere = network.kind !== 'offline';
  useEffect(() => {
    camera.warmUp();
    // Events that are stored can be opened meanwhile.
    void model.attempt(() => model.engine.loadEvents(), false);
  }, [model, camera, isThere]);
  const open = async ({ id }: DoorEvent): Promise<void> => {
    unlockSound();
    await model.attempt(() => model.engine.open(id, null));
  };
  const suggested = suggestedEvent(events, Date.now()) ?? (events.length === 1 ? (events[0] ?? null) : null);
  const others = events.filter((event) => event !== suggested);
  return (
    <main class="page">
      <header class="top">
        <p class="place">
          {tenantName} <small>{deviceName}</small>
        </p>
        <NetworkNote model={model} />
        <Button action="settings" icon="menu" onPress={() => model.openSheet({ kind: 'settings' })}>
          {t('actions.menu')}
        </Button>
      </header>
      <UpdateNote model={model} always />
      {practice && <PracticeNote />}
      <Title>{t('choice.title')}</Title>
      <FailureNote model={model} />
      {suggested && (
        <button
          type="button"
          class="button main event"
          data-action="open-event"
          data-event={suggested.id}
          data-suggested="true"
          disabled={model.working.value}
          onClick={() => void open(suggested)}
        >
          <EventWords event={suggested} zone={timeZone} />
          <span class="go">{t(model.working.value ? 'choice.opening' : 'choice.start')}</span>
        </button>
      )}
      {others.length > 0 && (
        <>
          {suggested && <h2>{t('choice.others')}</h2>}
          <ul class="list">
            {others.map((event) => (
              <li key={event.id}>
                <button
                  type="button"
                  class="button plain event"
                  data-action="open-event"
                  data-event={event.id}
                  disabled={model.working.value}
                  onClick={() => void open(event)}
                >
                  <EventWords event={event} zone={timeZone} />
                </button>
              </li>
            ))}
          </ul>
        </>
      )}
      {events.length === 0 && (
        <>
          <p>{t('choice.none')}</p>
          <Button action="reload-events" disabled={model.working.value} onPress={() => model.attempt(() => model.engine.loadEvents())}>
            {t('choice.reload')}
          </Button>
        </>
      )}
    </main>
  );
}
