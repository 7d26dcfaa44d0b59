import type { ComponentProps } from 'react'
import { MantineScope } from '../../../ui/theme/MantineScope.tsx'
import { PriceField } from '../../media/parts/price/PriceField.tsx'

/** What the media of a message costs: the one field of a conversation that needs Mantine. */
export default function TrayPrice(props: ComponentProps<typeof PriceField>) {
  return (
    <MantineScope>
      <PriceField {...props} />
    </MantineScope>
  )
}
