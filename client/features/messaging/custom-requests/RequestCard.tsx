import { LinkedText } from '../../../ui/LinkedText.tsx'
import type { Buyable } from '../../commerce/parts/buyable.ts'
import { requestOf, type RequestTerms as Terms } from './api.ts'
import styles from './custom-requests.module.css'
import { RequestActions } from './RequestActions.tsx'
import { RequestHeading, RequestTerms } from './RequestTerms.tsx'

type RequestCardProps = {
  request: Terms
  /** The request's text; null on the message that delivers it, which shows the files. */
  wish: string | null
  me: string
  creatorUsername: string
  onPay: ((item: Buyable) => void) | null
}

/** A custom request within a message. */
export default function RequestCard({ request, wish, me, creatorUsername, onPay }: RequestCardProps) {
  return (
    <>
      <RequestHeading state={request.state} />
      {wish !== null && (
        <>
          <p className={styles.wish}>
            <LinkedText>{wish}</LinkedText>
          </p>
          <RequestTerms request={request} me={me} />
          <RequestActions
            request={request}
            me={me}
            onPay={onPay && (() => onPay(requestOf(request, creatorUsername)))}
          />
        </>
      )}
    </>
  )
}
