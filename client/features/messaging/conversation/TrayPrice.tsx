import type { ComponentProps } from 'react'
import { MantineScope } from '../../../ui/theme/MantineScope.tsx'
import { PriceField } from '../../media/parts/price/PriceField.tsx'

/** The price of a message's media: the one field of a conversation that needs Mantine. */
export default function TrayPrice(props: ComponentProps<typeof PriceField>) {
  return (
    <MantineScope>
      <PriceField {...props} />
    </MantineScope>
  )
}
