import { ApiProperty } from '@nestjs/swagger';
import { PostalAddressAnswer } from '#catalogue';

export class PostalAddressList {
  @ApiProperty({ type: [PostalAddressAnswer] })
  readonly results!: readonly PostalAddressAnswer[];
}
