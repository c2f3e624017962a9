import React from 'react';
import DefaultReferenceListProperty from './DefaultReferenceListProperty.jsx';
import { isLeftOut, Shown } from '../../shared/Field.jsx';

/** Another record's name on the detail page. */
export default function DefaultReferenceShowProperty(props) {
  if (isLeftOut(props.property, props.record)) return null;
  return (
    <Shown property={props.property}>
      <DefaultReferenceListProperty {...props} />
    </Shown>
  );
}
