import type { ComponentChildren, VNode } from 'preact';

interface PriceHeadProps {
  /** Of the element with the name, for fields that it labels. */
  readonly id?: string;
  readonly name: string;
  /** Beside the name, each an element. */
  readonly notes: readonly VNode[];
  /** What it costs. */
  readonly children: ComponentChildren;
}

/** The line of a price: its name with notes, and what it costs. */
export function PriceHead({ id, name, notes, children }: PriceHeadProps): VNode {
  return (
    <>
      <span class="price-name">
        <bdi id={id}>{name}</bdi>
      </span>{' '}
      <span class="price-sum">{children}</span>
      {notes.length > 0 && (
        <span class="notes">
          {notes.map((note) => (
            <> {note}</>
          ))}
        </span>
      )}
    </>
  );
}

/** What a price cost that is gone, and why it is. */
export function GoneAmount({ cost, state }: { readonly cost: string; readonly state: string }): VNode {
  return (
    <>
      <s>{cost}</s> <em class="stamp stamp-quiet">{state}</em>
    </>
  );
}
