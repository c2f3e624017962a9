import React from 'react';
import DefaultDatetimeListProperty from './DefaultDatetimeListProperty.jsx';
import { Shown } from './shared/Field.jsx';

/** A time on the detail page. */
export default function DefaultDatetimeShowProperty(props) {
  return (
    <Shown property={props.property}>
      <DefaultDatetimeListProperty {...props} />
    </Shown>
  );
}
