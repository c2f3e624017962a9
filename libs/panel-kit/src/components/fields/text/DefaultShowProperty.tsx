import DefaultPropertyValue from './DefaultPropertyValue.js';
import { isLeftOut, Shown } from '../../shared/Field.js';
import type { ShownProps } from '../../page/props.js';

/** A value on the detail page. */
export default function DefaultShowProperty(props: ShownProps) {
  if (isLeftOut(props.property, props.record)) return null;
  return (
    <Shown property={props.property}>
      <DefaultPropertyValue {...props} />
    </Shown>
  );
}
