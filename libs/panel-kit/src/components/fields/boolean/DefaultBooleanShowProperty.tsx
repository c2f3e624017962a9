import BooleanPropertyValue from './BooleanPropertyValue.js';
import { Shown } from '../../shared/Field.js';
import type { ShownProps } from '../../page/props.js';

/** A boolean on the detail page. */
export default function DefaultBooleanShowProperty(props: ShownProps) {
  return (
    <Shown property={props.property}>
      <BooleanPropertyValue {...props} />
    </Shown>
  );
}
