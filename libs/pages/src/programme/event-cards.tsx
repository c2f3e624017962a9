import { imagePath } from '#catalogue';
import { mapInSlices } from '#kernel';
import { htmlOf, SafeHtml } from '#http';
import { Pattern } from '#page-kit';
import type { VNode } from 'preact';
import type { ListedEvent } from '../public-events/public-events.service.js';
import { DateLeaf, isOff, Meta, NameLink, Priced, type ProgrammeReading } from './event-facts.js';
import { programmeWords } from '../event-lists/programme.words.js';

/** Events with their pictures. */
export async function eventCards(events: readonly ListedEvent[], reading: ProgrammeReading): Promise<VNode> {
  const cards = await mapInSlices(events, (event) => htmlOf(<Card event={event} reading={reading} />));
  return (
    <>
      <h2 class="unseen">{programmeWords[reading.language].events}</h2>
      <ol class="cards">
        <SafeHtml html={cards.join('\n')} />
      </ol>
    </>
  );
}

interface CardProps {
  readonly event: ListedEvent;
  readonly reading: ProgrammeReading;
}

function Card({ event, reading }: CardProps): VNode {
  const { pictureId, sender, name } = event;
  return (
    <li class={isOff(event) ? 'card entry-off' : 'card'}>
      <div class="card-art">
        {pictureId ? (
          <img class="picture" src={`${sender?.home ?? ''}${imagePath(pictureId, 'med')}`} width={480} height={300} alt="" loading="lazy" />
        ) : (
          <Pattern name={name} />
        )}
      </div>
      <h3 dir="auto">
        <NameLink event={event} />
      </h3>
      <Meta event={event} reading={reading} />
      <div class="card-line line">
        <DateLeaf event={event} reading={reading} />
        <Priced event={event} reading={reading} />
      </div>
    </li>
  );
}
