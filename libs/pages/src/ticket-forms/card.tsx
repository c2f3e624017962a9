import type { ComponentChildren, VNode } from 'preact';

interface CardProps {
  readonly title: string;
  /** Beside the title, such as how many tickets one person may have. */
  readonly note?: string | undefined;
  /** Nothing follows on a stub: the card is torn at its end. */
  readonly isWhole?: boolean;
  /** The dates to choose from, before all else. */
  readonly dates?: VNode | undefined;
  readonly children?: ComponentChildren;
}

/** A card of what is offered for an event. */
export function Card({ title, note, isWhole = false, dates, children }: CardProps): VNode {
  return (
    <section class={isWhole ? 'ticket ticket-whole' : 'ticket'} id="tickets" tabindex={-1}>
      <div class="ticket-title line">
        <h2>{title}</h2>
        {note && <p class="small quiet">{note}</p>}
      </div>
      {dates}
      {children}
    </section>
  );
}
