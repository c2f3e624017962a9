import { SafeHtml } from '#http';
import { currency, currentLanguage, moneyWords } from '#kernel';
import { transferDay, transferRows, transferWords } from '#messages';
import type { TransferInstructions } from '#transfers';
import type { ComponentChildren, VNode } from 'preact';

/** What is to be transferred, with the drawing of its QR code. */
export interface ShownTransfer extends TransferInstructions {
  /** SVG. */
  readonly drawing: string;
}

interface TransferStepProps {
  readonly transfer: ShownTransfer;
  /** Path of the holder's page. */
  readonly path: string;
  readonly title: string;
  readonly children?: ComponentChildren;
}

/** How an order is paid by bank transfer. */
export function TransferStep({ transfer, path, title, children }: TransferStepProps): VNode {
  const language = currentLanguage();
  const words = transferWords[language];
  const { amount, received, dueOn, drawing } = transfer;
  return (
    <section class="notice step good">
      <h2>{title}</h2>
      <p dir="auto">
        <strong>{words.pay(moneyWords(amount, currency, language), transferDay(dueOn, language))}</strong>
      </p>
      {Number(received) > 0 && <p>{words.missing(moneyWords(received, currency, language))}</p>}
      <dl class="facts">
        {transferRows(transfer, language).map(([label, value]) => (
          <div>
            <dt>{label}</dt>
            <dd dir="auto">{value}</dd>
          </div>
        ))}
      </dl>
      <div class="code" role="img" aria-label={words.picture}>
        <SafeHtml html={drawing} />
      </div>
      <p>{words.scan}</p>
      <p>{words.after}</p>
      <p>
        <a href={`${path}/transfer.pdf`}>{words.files}</a>
      </p>
      {children}
    </section>
  );
}
