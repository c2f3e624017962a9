import type { JSX } from 'preact';
import type { DoorModel } from '../app/model.js';
import { practiceTickets } from '../core/engine/practice-tickets.js';
import { t } from '../texts/texts.js';
import { Button } from './button.js';

/** Tickets to try without paper: each button presents one. */
export function PracticeTickets({ model }: { readonly model: DoorModel }): JSX.Element {
  return (
    <div class="practice-tickets" role="group" aria-label={t('practice.tickets')}>
      {practiceTickets.map(({ kind, text }) => (
        <Button key={kind} action={`practise-${kind}`} onPress={() => model.scan(text, 'typed')}>
          {t(`practice.kinds.${kind}`)}
        </Button>
      ))}
      <Button action="end-practice" onPress={() => model.attempt(() => model.engine.practise(false))}>
        {t('practice.end')}
      </Button>
    </div>
  );
}
