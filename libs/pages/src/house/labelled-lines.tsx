import type { ComponentChildren, VNode } from 'preact';

/** A line that staff wrote: `label: text`, or a text alone. */
export interface LabelledLine {
  readonly label?: string;
  readonly text: string;
}

/** The lines of a text. The label ends at the first colon that a space follows. */
export function labelledLines(text: string | null): LabelledLine[] {
  const lines = (text ?? '').split('\n').filter((line) => line !== '');
  return lines.map((line) => {
    const [, label, rest] = /^([^:]{1,80}?)\s*:\s+(.+)$/u.exec(line) ?? [];
    return label === undefined || rest === undefined ? { text: line } : { label, text: rest };
  });
}

/** Lines as ruled rows of labels and texts; texts without a label are paragraphs above. */
export function Facts({ lines, className = 'facts' }: { readonly lines: readonly LabelledLine[]; readonly className?: string }) {
  const labelled = lines.filter(({ label }) => label !== undefined);
  return (
    <>
      {lines
        .filter(({ label }) => label === undefined)
        .map(({ text }) => (
          <p dir="auto">
            <Linked text={text} />
          </p>
        ))}
      {labelled.length > 0 && (
        <dl class={className}>
          {labelled.map(({ label, text }) => (
            <Fact label={label}>
              <Linked text={text} />
            </Fact>
          ))}
        </dl>
      )}
    </>
  );
}

/** A row of a ruled list. */
export function Fact({ label, children }: { readonly label: ComponentChildren; readonly children: ComponentChildren }): VNode {
  return (
    <div>
      <dt dir="auto">{label}</dt>
      <dd dir="auto">{children}</dd>
    </div>
  );
}

/** Addresses of web pages and e-mail addresses; the latter in the form that people write. */
const addresses = /https?:\/\/[^\s<>"]+|[\w.%+-]{1,64}@[\p{L}\p{N}-]+(?:\.[\p{L}\p{N}-]+)+/gu;

/** A text in which addresses of web pages and e-mail addresses are links, without the punctuation that follows them. */
export function Linked({ text }: { readonly text: string }): VNode {
  const shown: ComponentChildren[] = [];
  let end = 0;
  for (const { 0: found, index } of text.matchAll(addresses)) {
    const address = found.replace(/[.,;:!?)\]]+$/, '');
    const isWeb = /^https?:/.test(address);
    if (isWeb && !URL.canParse(address)) continue;
    shown.push(text.slice(end, index), <a href={isWeb ? address : `mailto:${address}`}>{address}</a>);
    end = index + address.length;
  }
  return (
    <>
      {shown}
      {text.slice(end)}
    </>
  );
}
