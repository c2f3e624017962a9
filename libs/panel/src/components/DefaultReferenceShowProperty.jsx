import React from 'react';
import DefaultReferenceListProperty from './DefaultReferenceListProperty.jsx';
import { Shown } from './shared/Field.jsx';

/** Another record's name on the detail page. */
export default function DefaultReferenceShowProperty(props) {
  return (
    <Shown property={props.property}>
      <DefaultReferenceListProperty {...props} />
    </Shown>
  );
}
