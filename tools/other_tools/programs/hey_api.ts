// Calls every operation with the client that Hey API made.
import { readFileSync } from "node:fs";
import { deleteAuthToken, getKeywordList, listReviewedMessages, listRoles, updateKeywordList } from "./client";
import type { KeywordListForm } from "./client";
import { client } from "./client/client.gen";
import { show } from "./show";

const [, , baseUrl, auth, authToken, path] = process.argv as string[];
client.setConfig({ baseUrl: baseUrl!, auth: auth!, throwOnError: true });
const file = new File([readFileSync(path!)], "terms.csv", { type: "text/csv" });

async function update(keywordId: string, body: KeywordListForm): Promise<string> {
  await updateKeywordList({ path: { keywordId }, body, throwOnError: true });
  return "sent";
}

async function main(): Promise<void> {
  const get = { path: { keywordId: "profanity-list" }, throwOnError: true } as const;
  await show("get", async () => (await getKeywordList(get)).data.data.id);
  await show("words", () => update("words", { category: "word", searchTerms: "spam,scam" }));
  await show("patterns", () => update("patterns", { category: "pattern", searchTerms: "[0-9]{4}" }));
  const disallowedSentences = ["Go, now.", "Leave."];
  await show("sentences", () => update("sentences", { category: "sentence-similarity", disallowedSentences }));
  await show("file", () => update("file", { category: "word", searchTerms: "", file }));
  const two = { query: { limit: 2 }, throwOnError: true } as const;
  await show("messages", async () => (await listReviewedMessages(two)).data.data.length);
  const page = { query: { page: 2, perPage: 10 }, throwOnError: true } as const;
  await show("roles", async () => (await listRoles(page)).data.data.length);
  const token = { path: { uid: "alice", authToken: authToken! }, throwOnError: true } as const;
  await show("delete", async () => (await deleteAuthToken(token)).data.data.success);
}

void main();
