import { useParams } from 'react-router'
import { offerOf, singleOf } from '../../features/commerce/parts/buyable.ts'
import { usePurchase } from '../../features/commerce/parts/purchase.tsx'
import { MediaDetail } from '../../features/media/detail/MediaDetail.tsx'

export function Component() {
  const { mediaId = '' } = useParams()
  const { buy, dialog } = usePurchase()
  return (
    <>
      <MediaDetail
        key={mediaId}
        mediaId={mediaId}
        onBuy={(media) => buy(singleOf(media))}
        onUnlock={(unlock, username) => buy(offerOf(unlock, username))}
      />
      {dialog}
    </>
  )
}
