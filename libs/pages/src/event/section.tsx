import type { ComponentChildren, VNode } from 'preact';

interface SectionProps {
  readonly title: string;
  /** Beside another one; otherwise it has the full width. */
  readonly isHalf?: boolean;
  readonly children: ComponentChildren;
}

/** A part of the practical facts of an event. */
export function Section({ title, isHalf = false, children }: SectionProps): VNode {
  return (
    <section class={isHalf ? undefined : 'wide'}>
      <h2>{title}</h2>
      {children}
    </section>
  );
}
