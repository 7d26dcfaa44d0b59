import { useParams } from 'react-router'
import { EditBundle } from '../../features/commerce/selling/EditPages.tsx'

export function Component() {
  const { bundleId = '' } = useParams()
  return <EditBundle bundleId={bundleId} />
}
