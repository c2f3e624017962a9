import React from 'react';
import { useTranslation } from 'adminjs';
import { Shown } from '#panel-kit/components/shared/Field.jsx';

/** The picture of a record on its detail page. */
export default function Picture({ property, record }) {
  const { tc } = useTranslation();
  const src = record.params[`${property.path}.src`];
  return <Shown property={property}>{src ? <img className="gt-picture" src={src} alt={record.title} /> : tc('Picture.none')}</Shown>;
}
