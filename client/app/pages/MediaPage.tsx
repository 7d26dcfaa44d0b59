import { useParams } from 'react-router'
import { MediaDetail } from '../../features/media/detail/MediaDetail.tsx'
import { usePurchase } from '../purchase.tsx'

export function Component() {
  const { mediaId = '' } = useParams()
  const { buy, dialog } = usePurchase()
  return (
    <>
      <MediaDetail key={mediaId} mediaId={mediaId} onBuy={buy} />
      {dialog}
    </>
  )
}
