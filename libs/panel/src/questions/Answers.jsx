import React from 'react';
import { flat, useTranslation } from 'adminjs';
import { Shown } from '#panel-kit/components/shared/Field.jsx';

/** What somebody answered to the questions of the products; nothing where nothing was answered. */
export default function Answers({ property, record }) {
  const { tc } = useTranslation();
  const { items } = flat.get(record.params, property.path) ?? {};
  if (!items) return null;
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
