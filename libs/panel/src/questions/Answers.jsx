import React from 'react';
import { flat, useTranslation } from 'adminjs';
import { Shown } from '#panel-kit/components/shared/Field.jsx';

/** Answers to the products' questions; absent when there are none. */
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
