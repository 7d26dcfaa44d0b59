import { useParams } from 'react-router'
import { Conversation } from './conversation/Conversation.tsx'
import { MessagesLayout } from './MessagesLayout.tsx'

/** The conversation with one person (docs/product.md, Chat). */
export function Component() {
  const { recipientId = '' } = useParams()
  return (
    <MessagesLayout showing="conversation" openWith={recipientId}>
      <Conversation key={recipientId} recipientId={recipientId} />
    </MessagesLayout>
  )
}
