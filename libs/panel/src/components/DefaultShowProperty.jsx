import React from 'react';
import DefaultPropertyValue from './DefaultPropertyValue.jsx';
import { Shown } from './shared/Field.jsx';

/** A value on the detail page. */
export default function DefaultShowProperty(props) {
  return (
    <Shown property={props.property}>
      <DefaultPropertyValue {...props} />
    </Shown>
  );
}
