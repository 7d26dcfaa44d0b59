import { useParams } from 'react-router'
import { EditSubscription } from '../../features/commerce/selling/EditPages.tsx'

export function Component() {
  const { subscriptionId = '' } = useParams()
  return <EditSubscription subscriptionId={subscriptionId} />
}
