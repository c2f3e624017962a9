import React from 'react';
import DefaultPropertyValue from './DefaultPropertyValue.jsx';
import { isLeftOut, Shown } from '../../shared/Field.jsx';

/** A value on the detail page. */
export default function DefaultShowProperty(props) {
  if (isLeftOut(props.property, props.record)) return null;
  return (
    <Shown property={props.property}>
      <DefaultPropertyValue {...props} />
    </Shown>
  );
}
