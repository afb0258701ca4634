import * as fc from "fast-check";
import { anyText } from "@gpu-offers/domain/offer.fixture";
import { describe, expect, test } from "vitest";
import { Rejection } from "../rejection.js";
import { decodeGpuInfo } from "./gpu-of-row.js";

describe("GpuInfo", () => {
  test.each([
    [
      "a Python literal",
      "{'Gpus': [{'Name': 'A100', 'Manufacturer': 'NVIDIA', 'Count': 8.0, 'MemoryInfo': {'SizeInMiB': 40960}}], 'TotalGpuMemoryInMiB': 40960}",
      { name: "A100", count: 8, size: 40960 },
    ],
    [
      "a Python literal with a count as text",
      "{'Gpus': [{'Name': 'RTX3080', 'Count': '1.0', 'MemoryInfo': {'SizeInMiB': 12288}}]}",
      { name: "RTX3080", count: 1, size: 12288 },
    ],
    [
      "a Python literal with a bare null",
      "{'Gpus': [{'Name': 'L40', 'Manufacturer': null, 'Count': 1, 'MemoryInfo': {'SizeInMiB': 49152}}]}",
      { name: "L40", count: 1, size: 49152 },
    ],
    [
      "a Python literal with None and True",
      "{'Gpus': [{'Name': 'None of True', 'Manufacturer': None, 'Fast': True, 'Slow': False, 'Count': 1}]}",
      { name: "None of True", count: 1, size: undefined },
    ],
    [
      "a Python literal whose text contains an apostrophe",
      `{'Gpus': [{'Name': "it's", 'Count': 1}]}`,
      { name: "it's", count: 1, size: undefined },
    ],
    [
      "JSON",
      '{"Gpus": [{"Name": "B300", "Count": 1, "MemoryInfo": {"SizeInMiB": 268288}}], "TotalGpuMemoryInMiB": 268288}',
      { name: "B300", count: 1, size: 268288 },
    ],
    [
      "small keys",
      "{'gpus': [{'name': 'h100', 'count': 8.0, 'memoryinfo': {'sizeinmib': 81559}}], 'totalgpumemoryinmib': 81559}",
      { name: "h100", count: 8, size: 81559 },
    ],
    ["a name alone", "A100-80GB", { name: "A100-80GB", count: undefined, size: undefined }],
    ["nothing", "", { name: undefined, count: undefined, size: undefined }],
    [
      "parts of other types",
      '{"Gpus": [{"Name": 5, "Count": "", "MemoryInfo": []}]}',
      {
        name: undefined,
        count: undefined,
        size: undefined,
      },
    ],
    [
      "endless numbers",
      '{"Gpus": [{"Count": "NaN", "MemoryInfo": {"SizeInMiB": 1e999}}]}',
      {
        name: undefined,
        count: undefined,
        size: undefined,
      },
    ],
  ])("is read from %s", (_name, text, expected) => {
    expect(decodeGpuInfo(text)).toEqual(expected);
  });

  test.each(["{", "{'Gpus': []}", "{'Gpus': [{}, {}]}", "{'Gpus': 5}", "{}", "{null: 1}"])(
    "%j does not describe one kind of GPU",
    (text) => {
      expect(decodeGpuInfo(text)).toMatchObject({
        code: "bad_gpu_info",
        reason: expect.stringContaining("GpuInfo is"),
      });
    },
  );

  test("is read or rejected for any text", () => {
    const parts = fc.array(
      fc.constantFrom("{", "}", "[", "]", "'", '"', "\\", ":", ",", "Gpus", "None", "1", "__proto__"),
    );
    fc.assert(
      fc.property(
        fc.oneof(
          parts.map((list) => `{${list.join("")}`),
          anyText(),
        ),
        (text) => {
          const info = decodeGpuInfo(text);
          expect(info instanceof Rejection || "name" in info).toBe(true);
        },
      ),
      { seed: 20_261_120 },
    );
  });
});
