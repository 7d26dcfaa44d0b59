import { useQuery } from '@tanstack/react-query'
import { useParams } from 'react-router'
import { subscriptionRoutes } from '../../../../contract/routes/commerce/subscriptions.ts'
import { subscriptionQuery } from '../api.ts'
import { AskedPrice } from './AskedPrice.tsx'
import { useEditSubscription } from './api.ts'
import { Editor } from './Editor.tsx'
import { EditorGate } from './EditorGate.tsx'
import { Retire } from './Retire.tsx'
import { editTexts } from './texts.ts'

/** The editor of one subscription, for its owner only (docs/product.md, Access). */
export function Component() {
  const { subscriptionId = '' } = useParams()
  const edit = useEditSubscription()
  return (
    <EditorGate
      title={editTexts.subscription}
      query={useQuery({ ...subscriptionQuery(subscriptionId), refetchOnMount: 'always' })}
      ownerOf={({ creatorId }) => creatorId}
    >
      {({
        _id,
        creatorId,
        title,
        description,
        cover,
        retired,
        deletable,
        price,
        chatEnabled,
        includes,
        terms,
        mediaIds,
        excludedMediaIds,
        ...contents
      }) => (
        <Editor
          key={_id}
          kind="subscription"
          route={subscriptionRoutes.editSubscription}
          creatorId={creatorId}
          cover={cover}
          initial={{
            title,
            description,
            coverMediaId: cover?._id ?? null,
            price,
            chatEnabled,
            lessOwned: false,
            includes,
            askSubscribers: false,
            terms: terms.map(({ months, discountPercent }) => ({ months, discountPercent })),
            mediaIds,
            excludedMediaIds,
          }}
          contents={contents}
          below={
            <>
              <AskedPrice subscriptionId={_id} />
              <Retire kind="subscription" id={_id} title={title} retired={retired} deletable={deletable} />
            </>
          }
          savedText={editTexts.subscriptionSaved}
          onSave={({ lessOwned: _bundles, ...change }) => edit.mutateAsync({ subscriptionId, ...change })}
        />
      )}
    </EditorGate>
  )
}
