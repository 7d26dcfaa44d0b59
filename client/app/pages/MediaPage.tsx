import { useLocation, useParams } from 'react-router'
import { offerOf, singleOf } from '../../features/commerce/parts/buyable.ts'
import { usePurchase } from '../../features/commerce/parts/purchase.tsx'
import { MediaDetail } from '../../features/media/detail/MediaDetail.tsx'
import { lazyExtra } from '../../ui/lazy-part.tsx'

/** Of few visits: those by the address that a post has of an item. */
const Visits = lazyExtra(() =>
  import('../../features/promotion/visits/VisitPage.tsx').then((module) => module.default),
)

export function Component() {
  const { mediaId = '' } = useParams()
  const { search } = useLocation()
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
      {search.includes('from=') && <Visits />}
    </>
  )
}
