// The commands of the tool. A `make` prepares the inputs of an example, a `check` compares its result with
// plain C++ that knows nothing of tiles, throws where they differ, and writes something to look at.
#pragma once

#include <string>

namespace example {

void picture_unpack(const std::string& in, const std::string& out);
void picture_check(const std::string& in, const std::string& result, const std::string& out);

void embedding_make(const std::string& path, const std::string& table_path, const std::string& token_path);
void embedding_check(const std::string& path, const std::string& result, const std::string& out);

void matrix_make(const std::string& picture, const std::string& pixels, const std::string& weights);
void matrix_check(const std::string& picture, const std::string& result, const std::string& out);

void convolution_make(const std::string& picture, const std::string& pixels, const std::string& taps);
void convolution_check(const std::string& picture, const std::string& blurred, const std::string& edges,
                       const std::string& out);

void topk_make(const std::string& text, const std::string& scores);
void topk_check(const std::string& text, const std::string& result, const std::string& out);

void equalise_make(const std::string& picture, const std::string& pixels);
void equalise_check(const std::string& picture, const std::string& result, const std::string& out);

void quantise_make(const std::string& picture, const std::string& numbers, const std::string& parameters);
void quantise_check(const std::string& picture, const std::string& quantised, const std::string& restored,
                    const std::string& out);

void transpose_check(const std::string& picture, const std::string& result, const std::string& out);

}  // namespace example
