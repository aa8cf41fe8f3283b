// Calls every operation with openapi-fetch and the types that openapi-typescript made.
import { readFileSync } from "node:fs";
import createClient from "openapi-fetch";
import type { components, paths } from "./client";
import { show } from "./show";

type Form = components["schemas"]["KeywordListForm"];
const [, , baseUrl, apikey, authToken, path] = process.argv as string[];
const chat = createClient<paths>({ baseUrl: baseUrl!, headers: { apikey: apikey! } });
// The types of openapi-typescript have text for a file.
const file = new File([readFileSync(path!)], "terms.csv", { type: "text/csv" }) as unknown as string;

function toForm(body: Form): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(body)) {
    for (const each of Array.isArray(value) ? value : [value]) {
      form.append(name, each as string | Blob);
    }
  }
  return form;
}

function checked<T>(response: { data?: T; error?: unknown }): T {
  if (response.data === undefined) {
    throw response.error;
  }
  return response.data;
}

async function update(keywordId: string, body: Form): Promise<string> {
  const options = { params: { path: { keywordId } }, body, bodySerializer: toForm };
  checked(await chat.PUT("/moderation/keywords/{keywordId}", options));
  return "sent";
}

async function main(): Promise<void> {
  const list = { params: { path: { keywordId: "profanity-list" } } };
  await show("get", async () => checked(await chat.GET("/moderation/keywords/{keywordId}", list)).data.id);
  await show("words", () => update("words", { category: "word", searchTerms: "spam,scam" }));
  await show("patterns", () => update("patterns", { category: "pattern", searchTerms: "[0-9]{4}" }));
  const disallowedSentences = ["Go, now.", "Leave."];
  await show("sentences", () => update("sentences", { category: "sentence-similarity", disallowedSentences }));
  await show("file", () => update("file", { category: "word", searchTerms: "", file }));
  const two = { params: { query: { limit: 2 } } };
  await show("messages", async () => checked(await chat.GET("/moderation/reviewed-messages", two)).data.length);
  const page = { params: { query: { page: 2, perPage: 10 } } };
  await show("roles", async () => checked(await chat.GET("/roles", page)).data.length);
  const token = { params: { path: { uid: "alice", authToken: authToken! } } };
  const deleted = await chat.DELETE("/users/{uid}/auth_tokens/{authToken}", token);
  await show("delete", async () => checked(deleted).data.success);
}

void main();
