import React from 'react';
import DefaultReferenceListProperty from './DefaultReferenceListProperty.jsx';
import { isLeftOut, Shown } from '../../shared/Field.jsx';

/** The name of another record on the detail page. */
export default function DefaultReferenceShowProperty(props) {
  if (isLeftOut(props.property, props.record)) return null;
  return (
    <Shown property={props.property}>
      <DefaultReferenceListProperty {...props} />
    </Shown>
  );
}
