import React from 'react';
import BooleanPropertyValue from './BooleanPropertyValue.jsx';
import { Shown } from '../../shared/Field.jsx';

/** A boolean on the detail page. */
export default function DefaultBooleanShowProperty(props) {
  return (
    <Shown property={props.property}>
      <BooleanPropertyValue {...props} />
    </Shown>
  );
}
