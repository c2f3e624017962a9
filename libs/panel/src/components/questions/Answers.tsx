import { flat, useTranslation } from 'adminjs';
import { Shown } from '#panel-kit/components/shared/Field.js';
import type { ShownProps } from '#panel-kit/components/page/props.js';
import type { AnswersView } from '../../questions/answers.reader.js';

/** Answers to the products' questions; absent when there are none. */
export default function Answers({ property, record }: ShownProps) {
  const { tc } = useTranslation();
  const { items = [] }: Partial<NonNullable<AnswersView>> = flat.get(record.params, property.path) ?? {};
  if (items.length === 0) return null;
  return (
    <Shown property={property}>
      <dl className="gt-answers">
        {items.map(({ label, text, ticket }, index) => (
          <div key={index}>
            <dt>
              {label}
              {ticket ? ` (${tc('QuestionsEditor.ticket', { number: ticket })})` : ''}
            </dt>
            <dd>{text}</dd>
          </div>
        ))}
      </dl>
    </Shown>
  );
}
