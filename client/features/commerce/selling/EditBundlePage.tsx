import { useQuery } from '@tanstack/react-query'
import { useParams } from 'react-router'
import { bundleRoutes } from '../../../../contract/routes/commerce/bundles.ts'
import { bundleQuery, useEditBundle } from './api.ts'
import { Editor } from './Editor.tsx'
import { EditorGate } from './EditorGate.tsx'
import { Retire } from './Retire.tsx'
import { editTexts } from './texts.ts'

/** The editor of one bundle, for its owner only (docs/product.md, Access). */
export function Component() {
  const { bundleId = '' } = useParams()
  const edit = useEditBundle()
  return (
    <EditorGate
      title={editTexts.bundle}
      query={useQuery({ ...bundleQuery(bundleId), refetchOnMount: 'always' })}
      ownerOf={({ userId }) => userId}
    >
      {({
        _id,
        userId,
        title,
        description,
        cover,
        retired,
        deletable,
        price,
        lessOwned,
        mediaIds,
        ...contents
      }) => (
        <Editor
          key={_id}
          kind="bundle"
          route={bundleRoutes.editBundle}
          creatorId={userId}
          cover={cover}
          initial={{
            title,
            description,
            coverMediaId: cover?._id ?? null,
            price,
            chatEnabled: false,
            lessOwned,
            includes: 'chosen',
            askSubscribers: false,
            terms: [],
            mediaIds,
            excludedMediaIds: [],
          }}
          contents={contents}
          below={<Retire kind="bundle" id={_id} title={title} retired={retired} deletable={deletable} />}
          savedText={editTexts.bundleSaved}
          onSave={({ title, description, coverMediaId, price, lessOwned, mediaIds }) =>
            edit.mutateAsync({ bundleId, title, description, coverMediaId, price, lessOwned, mediaIds })
          }
        />
      )}
    </EditorGate>
  )
}
